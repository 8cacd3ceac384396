import { make } from "./element.js";
export function mount(root) {
  root.append(make("h1", { text: "Watch and play" }));
  return { show() {} };
}
