/** An alias of /user for existing links. */
export { default, metadata } from '../page';
