// `Intl`, which `../intl.js` loads.

export { make as default } from "../intl/main.js";
