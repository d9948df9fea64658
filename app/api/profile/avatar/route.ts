import { route } from '@/lib/auth/route';
import { receiveFile } from '@/lib/platform/http/receive-file';
import { createAvatarResponse, maxAvatarBytes, removeAvatar, setAvatar } from '@/lib/users/avatar';
import { avatarResponse } from '@/lib/users/contract';

/** Returns the caller's profile picture. */
export const GET = route(
  {
    access: 'session',
    summary: "Returns the caller's own picture.",
    response: { mediaTypes: ['image/webp'] },
    errors: ['not_found'],
    isRevalidated: true,
  },
  async ({ actor, request }) => createAvatarResponse(actor.userId, request.headers.get('if-none-match')),
);

export const POST = route(
  {
    access: 'session',
    scope: 'none',
    summary: "Sets the caller's picture.",
    response: avatarResponse,
    errors: ['unsupported_type'],
    upload: { field: 'file', maxBytes: maxAvatarBytes },
  },
  async ({ actor, request }) => ({
    avatar: await receiveFile(request, { field: 'file', maxBytes: maxAvatarBytes, userId: actor.userId }, (file) =>
      setAvatar(actor, file),
    ),
  }),
);

export const DELETE = route(
  { access: 'session', scope: 'none', summary: "Removes the caller's picture." },
  async ({ actor }) => removeAvatar(actor),
);
