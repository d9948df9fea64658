import { ApiError } from '@/lib/http/client';

/**
 * Sends one file as multipart field `file` and tells how far it is; fetch cannot report that.
 * @param onProgress share sent, 0 to 1
 * @throws ApiError with the server's text and status
 */
export function uploadFile(path: string, file: File, onProgress: (share: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append('file', file);
    request.open('POST', path);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onerror = () => reject(new ApiError(0, ''));
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(new ApiError(request.status, errorText(request.responseText)));
    };
    request.send(form);
  });
}

/** The server's own text, or '' for an answer that is not ours (a proxy's page). */
function errorText(body: string): string {
  try {
    const answer: unknown = JSON.parse(body);
    const isOurs = typeof answer === 'object' && answer !== null && 'error' in answer;
    return isOurs && typeof answer.error === 'string' ? answer.error : '';
  } catch {
    return '';
  }
}
