/** The message of a failed action on the security page where the server sent no text. Status 0: no response. */
export function actionFailure(status: number): string {
  return status === 0 ? 'Network error. Please try again.' : 'That did not work. Please try again.';
}
