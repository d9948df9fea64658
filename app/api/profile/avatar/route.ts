import { receiveFile } from '@/lib/http/receive-file';
import { route } from '@/lib/http/route';
import { answerAvatar } from '@/lib/users/answer-avatar';
import { maxAvatarBytes } from '@/lib/users/avatar-image';
import { removeAvatar } from '@/lib/users/remove-avatar';
import { setAvatar } from '@/lib/users/set-avatar';

/** The caller's own picture. */
export const GET = route({ access: 'session' }, async ({ actor, request }) =>
  answerAvatar(actor.userId, request.headers.get('if-none-match')),
);

export const POST = route({ access: 'session' }, async ({ actor, request }) => ({
  avatar: await receiveFile(request, { field: 'file', maxBytes: maxAvatarBytes }, (file) => setAvatar(actor, file)),
}));

export const DELETE = route({ access: 'session' }, async ({ actor }) => removeAvatar(actor));
