// Follows a redirect that leads where nothing may go.
let outcome;
try {
  outcome = http_get(URL).status;
} catch (error) {
  outcome = error.message;
}
outcome;
