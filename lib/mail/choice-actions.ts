'use server';

import { action } from '../http/action';
import { chooseMailInput } from './choice-schemas';
import { chooseMail } from './choose-mail';

/** The contract has no address for it; the security page of every portal calls it. */
export const chooseMailAction = action({ access: 'session', input: chooseMailInput }, chooseMail);
