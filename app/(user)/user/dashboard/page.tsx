/** The same screen under its older address (decision 7). */
export { default, metadata } from '../page';
