// The code, or the host's token, comes with the scanned or printed link, behind its #, which
// browsers send to nobody; this page hands it in.

import { find } from "./dom.js";

const code = location.hash.slice(1);
if (/^[0-9A-Za-z]{4,64}$/.test(code)) {
  history.replaceState(null, "", location.pathname + location.search);
  find(document, "#code", HTMLInputElement).value = code;
  find(document, "#join", HTMLFormElement).submit();
}
