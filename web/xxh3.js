// XXH3 (64 bits, no seed), the checksum of recorded games, for nine bytes and more.

const SECRET = view(Uint8Array.from((
  "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
  + "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
  + "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
).match(/../g), (byte) => parseInt(byte, 16)));
const WORD = (1n << 64n) - 1n;
const LOW = 0xffffffffn;
const P32 = [0x9e3779b1n, 0x85ebca77n, 0xc2b2ae3dn];
const P64 = [0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn, 0x165667b19e3779f9n, 0x85ebca77c2b2ae63n, 0x27d4eb2f165667c5n];

function view(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const at = (data, offset) => data.getBigUint64(offset, true);
const fold = (a, b) => ((a * b) & WORD) ^ ((a * b) >> 64n);
const mix = (data, i, s) => fold(at(data, i) ^ at(SECRET, s), at(data, i + 8) ^ at(SECRET, s + 8));

function avalanche(h) {
  const mixed = ((h ^ (h >> 37n)) * 0x165667919e3779f9n) & WORD;
  return mixed ^ (mixed >> 32n);
}

/** The checksum of bytes, as a BigInt. */
export function xxh3(bytes) {
  const data = view(bytes);
  const length = bytes.length;
  if (length < 9) throw new Error("too short for a checksum");
  if (length <= 16) return tiny(data, length);
  return length <= 240 ? middle(data, length) : long(data, length);
}

function tiny(data, length) {
  const low = at(data, 0) ^ at(SECRET, 24) ^ at(SECRET, 32);
  const high = at(data, length - 8) ^ at(SECRET, 40) ^ at(SECRET, 48);
  const swap = new DataView(new ArrayBuffer(8));
  swap.setBigUint64(0, low, true);
  return avalanche((BigInt(length) + swap.getBigUint64(0, false) + high + fold(low, high)) & WORD);
}

function middle(data, length) {
  let sum = BigInt(length) * P64[0];
  if (length <= 128) {
    const pairs = length > 96 ? 4 : length > 64 ? 3 : length > 32 ? 2 : 1;
    for (let i = 0; i < pairs; i += 1) sum += mix(data, 16 * i, 32 * i) + mix(data, length - 16 * (i + 1), 32 * i + 16);
    return avalanche(sum & WORD);
  }
  for (let i = 0; i < 8; i += 1) sum += mix(data, 16 * i, 16 * i);
  sum = avalanche(sum & WORD);
  for (let i = 8; i < Math.floor(length / 16); i += 1) sum += mix(data, 16 * i, 16 * (i - 8) + 3);
  return avalanche((sum + mix(data, length - 16, 119)) & WORD);
}

function long(data, length) {
  const sums = [P32[2], P64[0], P64[1], P64[2], P64[3], P32[1], P64[4], P32[0]];
  const add = (from, secret) => {
    for (let i = 0; i < 8; i += 1) {
      const value = at(data, from + 8 * i);
      const key = value ^ at(SECRET, secret + 8 * i);
      sums[i ^ 1] = (sums[i ^ 1] + value) & WORD;
      sums[i] = (sums[i] + (key & LOW) * (key >> 32n)) & WORD;
    }
  };
  // Stripes of 64 bytes; after sixteen of them the sums are scrambled.
  const stripes = Math.floor((length - 1) / 64);
  for (let stripe = 0; stripe < stripes; stripe += 1) {
    add(64 * stripe, 8 * (stripe % 16));
    if (stripe % 16 === 15) sums.forEach((sum, i) => { sums[i] = (((sum ^ (sum >> 47n)) ^ at(SECRET, 128 + 8 * i)) * P32[0]) & WORD; });
  }
  add(length - 64, 121);
  let all = BigInt(length) * P64[0];
  for (let i = 0; i < 4; i += 1) all += fold(sums[2 * i] ^ at(SECRET, 11 + 16 * i), sums[2 * i + 1] ^ at(SECRET, 19 + 16 * i));
  return avalanche(all & WORD);
}
