/** Leaves for the sign-in, which leads back to the page that is open now, in whichever portal. */
export function signInAgain(): void {
  const back = `${window.location.pathname}${window.location.search}`;
  window.location.assign(`/user/login?next=${encodeURIComponent(back)}`);
}
