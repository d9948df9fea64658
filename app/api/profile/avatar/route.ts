import { receiveFile } from '@/lib/http/receive-file';
import { route } from '@/lib/http/route';
import { answerAvatar } from '@/lib/users/answer-avatar';
import { avatarAnswer } from '@/lib/users/answers';
import { maxAvatarBytes } from '@/lib/users/avatar-image';
import { removeAvatar } from '@/lib/users/remove-avatar';
import { setAvatar } from '@/lib/users/set-avatar';

/** The caller's own picture. */
export const GET = route(
  {
    access: 'session',
    summary: "The caller's own picture.",
    answer: { mediaTypes: ['image/webp'] },
    errors: ['not_found'],
    isRevalidated: true,
  },
  async ({ actor, request }) => answerAvatar(actor.userId, request.headers.get('if-none-match')),
);

export const POST = route(
  {
    access: 'session',
    summary: "Sets the caller's picture.",
    answer: avatarAnswer,
    errors: ['unsupported_type'],
    upload: { field: 'file', maxBytes: maxAvatarBytes },
  },
  async ({ actor, request }) => ({
    avatar: await receiveFile(request, { field: 'file', maxBytes: maxAvatarBytes }, (file) => setAvatar(actor, file)),
  }),
);

export const DELETE = route({ access: 'session', summary: "Removes the caller's picture." }, async ({ actor }) =>
  removeAvatar(actor),
);
