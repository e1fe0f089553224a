// The code comes with the scanned link, behind its #, which browsers send to nobody; it is handed in from here.

const code = location.hash.slice(1);
if (/^[0-9A-Za-z]{4,12}$/.test(code)) {
  history.replaceState(null, "", location.pathname);
  document.getElementById("code").value = code;
  document.getElementById("join").submit();
}
