export function register() {
  // Turbopack looks for this file in the folders above as well, and would take LinkMarket's, which logs every request.
}
