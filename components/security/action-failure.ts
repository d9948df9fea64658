/** What a form of the security page says where the server sent no text. Status 0: no answer came. */
export function actionFailure(status: number): string {
  return status === 0 ? 'Network error. Please try again.' : 'That did not work. Please try again.';
}
