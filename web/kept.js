// What is too large for the simple storage of a browser, such as the review of a long game. Where there is no
// database, or it may not be used, nothing is kept and nothing fails.
const NAME = "tilebase";
const STORE = "kept";

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function within(mode, work) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const request = work(database.transaction(STORE, mode).objectStore(STORE));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } finally {
    database.close();
  }
}

/** Keeps a value under a name. */
export const keep = (name, value) => within("readwrite", (store) => store.put(value, name)).catch(() => {});

/** The value kept under a name, or null. */
export const kept = (name) => within("readonly", (store) => store.get(name)).then((value) => value ?? null, () => null);
