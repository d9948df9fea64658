import { z } from 'zod';
import { canParseUrl } from '@/sandbox/http/can-parse-url';
import { html, type Reply } from '@/sandbox/http/reply';
import { type GatewayRequest, readFields } from '@/sandbox/http/request';
import { renderDocument } from '@/sandbox/pages/document';
import { markup } from '@/sandbox/pages/markup';
import { type Role, roles } from './records';
import type { WordPress } from './wordpress';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Checks an address to which the screen returns: https, or http of this machine. */
const isSafeReturn = (text: string): boolean => {
  if (!canParseUrl(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname));
};

const returnUrl = z.string().refine(isSafeReturn, { error: 'The URL must be served over a secure connection.' });
const requestFields = z.object({
  app_name: z.string().min(1),
  app_id: z.string().regex(uuid, 'The application ID must be a UUID.'),
  success_url: returnUrl,
  reject_url: returnUrl,
});
const answerFields = requestFields.extend({ role: z.enum(roles), answer: z.enum(['approve', 'reject']) });

/** Answers the authorization screen of a site: shows it, or creates the password and returns to the application. */
export async function respondWithScreen(wordpress: WordPress, request: GatewayRequest, host: string): Promise<Reply> {
  const asked = request.method === 'POST' ? readFields(request) : Object.fromEntries(request.url.searchParams);
  const fields = (request.method === 'POST' ? answerFields : requestFields).safeParse(asked);
  if (!fields.success) return html(400, errorPage(host, z.prettifyError(fields.error)));
  if (!('answer' in fields.data)) return html(200, screenPage(host, fields.data, wordpress.controlsOf(host).role));
  const answer = answerFields.parse(fields.data);
  if (answer.answer === 'reject') return found(answer.reject_url);
  const { role, app_id: appId, app_name: name } = answer;
  const password = await wordpress.createPassword(host, { role, appId, name });
  if (password === null) return html(409, errorPage(host, 'Each application name should be unique.'));
  const back = new URL(answer.success_url);
  for (const [key, value] of [
    ['site_url', `https://${host}`],
    ['user_login', role],
    ['password', password],
  ] as const) {
    back.searchParams.set(key, value);
  }
  return found(back.href);
}

const found = (location: string): Reply => ({
  status: 302,
  headers: { location, 'cache-control': 'no-store' },
  body: '',
});

const style = `body{display:grid;justify-content:center;padding:8vh 1rem}
main{max-width:34rem;border:1px solid #8885;border-radius:.5rem;padding:1.5rem 2rem 2rem}
main>*+*,form>*+*{margin-top:1rem}h1{font-size:1.25rem}label{display:grid;gap:.35rem}select,button{font:inherit;padding:.5rem .75rem}
.acts{display:flex;gap:.75rem;flex-wrap:wrap}`;

function screenPage(host: string, request: z.infer<typeof requestFields>, role: Role): string {
  const hidden = Object.entries(request).map(
    ([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`,
  );
  const body = markup`<main>
<p><strong>${host}</strong> · WordPress of the sandbox</p>
<h1>An application would like to connect to your account.</h1>
<p>Would you like to give the application <strong>${request.app_name}</strong> access to your account? Only do this if you trust it.</p>
<form method="post">
${hidden}
<p><label>You are signed in as <select name="role">${roles.map(
    (one) => markup`<option value="${one}"${one === role && markup` selected`}>${one}</option>`,
  )}</select></label></p>
<p>You will be returned to ${new URL(request.success_url).host}.</p>
<p class="acts"><button class="button main" name="answer" value="approve">Yes, I approve of this connection</button>
<button class="button" name="answer" value="reject">No, I do not approve of this connection</button></p>
</form>
</main>`;
  return renderDocument(`Authorize application · ${host}`, style, body);
}

const errorPage = (host: string, message: string) =>
  renderDocument(
    `Authorize application · ${host}`,
    style,
    markup`<main><h1>Cannot authorize application</h1><p>${message}</p></main>`,
  );
