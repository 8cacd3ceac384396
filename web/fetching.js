// Files of a static site, with their progress as they come.

/** Time between two reports, in milliseconds. */
const TICK = 100;

/** Fetches a file. `onprogress(loaded, total)` hears how many bytes have come; `total` is null where that is not
 * known. Files that end in `.zlib` are unpacked here, since not every host compresses what it sends. */
export async function fetchFile(path, { onprogress = () => {}, type, ...options } = {}) {
  const response = await fetch(new URL(path, import.meta.url), options);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  // Where a host compresses after all, the length is not that of the file.
  const total = response.headers.has("content-encoding") ? null : Number(response.headers.get("content-length")) || null;
  let loaded = 0;
  let told = 0;
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      controller.enqueue(chunk);
      const now = performance.now();
      if (now - told < TICK) return;
      told = now;
      onprogress(loaded, total);
    },
  }));
  const body = path.endsWith(".zlib") ? counted.pipeThrough(new DecompressionStream("deflate")) : counted;
  return new Response(body, { headers: type ? { "content-type": type } : {} });
}

/** The bytes of a file. */
export async function fetchBytes(path, options) {
  return new Uint8Array(await (await fetchFile(path, options)).arrayBuffer());
}
