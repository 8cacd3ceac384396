// The n-tuple networks for 4x4 in a worker: a small one that is there soon, then the full one in its place.
import { fetchBytes } from "./fetching.js";

const SMALL = "engine/4x4-small.network";
const FULL = "engine/4x4.network";

export class Networks {
  /** `service` is a promise of the engine's; `onloading` hears `{ what, full, loaded, total, done, failed }`. */
  constructor(service, onloading) {
    this.service = service;
    this.onloading = onloading;
    this.parts = new Map();
    this.isFull = false;
  }

  /** Waits for a network, a small one at least. Without any, a search uses its other evaluation, and says so. */
  async quick() {
    await this.load(SMALL).catch(() => this.full());
    // Nobody waits for this one here.
    this.full();
  }

  /** Waits for the full network. If it cannot be had, what there is must do. */
  async full() {
    // One after the other: the small one must not wait for its share of the line.
    await this.load(SMALL).catch(() => {});
    await this.load(FULL).catch(() => {});
  }

  /** Loads a network, once; a failure is tried again the next time. */
  load(path) {
    if (!this.parts.has(path)) {
      const part = this.fetch(path, path === FULL);
      this.parts.set(path, part);
      part.catch(() => this.parts.delete(path));
    }
    return this.parts.get(path);
  }

  async fetch(path, full) {
    const tell = (news) => this.onloading({ what: "network", full, loaded: 0, total: null, done: false, ...news });
    tell({});
    try {
      const options = { priority: full ? "low" : "high", onprogress: (loaded, total) => tell({ loaded, total }) };
      const bytes = await fetchBytes(path, options);
      const service = await this.service;
      // It takes the memory of the one before, which must not be the better one.
      if (full || !this.isFull) service.loadNetwork(bytes);
      this.isFull ||= full;
      tell({ loaded: bytes.length, total: bytes.length, done: true });
    } catch (error) {
      tell({ done: true, failed: true });
      throw error;
    }
  }
}
