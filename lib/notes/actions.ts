'use server';

import { action } from '@/lib/auth/action';
import { addNote, deleteNote } from './notes';
import { noteIdInput, orderNoteInput, orderTagInput, userNoteInput, userTagInput } from './schemas';
import { setTag } from './tags';

export const addUserNoteAction = action({ access: 'ManageUsers', input: userNoteInput }, (actor, { id, text }) =>
  addNote(actor, { kind: 'user', id }, text),
);

export const addOrderNoteAction = action({ access: 'ManageOrders', input: orderNoteInput }, (actor, { id, text }) =>
  addNote(actor, { kind: 'order', id }, text),
);

export const deleteUserNoteAction = action({ access: 'ManageUsers', input: noteIdInput }, (actor, { noteId }) =>
  deleteNote(actor, 'user', noteId),
);

export const deleteOrderNoteAction = action({ access: 'ManageOrders', input: noteIdInput }, (actor, { noteId }) =>
  deleteNote(actor, 'order', noteId),
);

export const tagUserAction = action({ access: 'ManageUsers', input: userTagInput }, (actor, { id, tag, on }) =>
  setTag(actor, { kind: 'user', id }, tag, on),
);

export const tagOrderAction = action({ access: 'ManageOrders', input: orderTagInput }, (actor, { id, tag, on }) =>
  setTag(actor, { kind: 'order', id }, tag, on),
);
