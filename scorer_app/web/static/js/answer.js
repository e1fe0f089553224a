// A page that answers a form, such as a refusal, takes the address of the page with the form:
// browsers neither reload an answer nor go back to it without an error page of their own.

const form = document.referrer; // empty where it was of another site
if (form.startsWith(`${location.origin}/`)) history.replaceState(null, "", form);
