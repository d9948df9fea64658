/** An alias of /user for existing links. */
export { default, metadata } from '@/app/(user)/user/page';
