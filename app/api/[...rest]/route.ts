/** The fallback for paths without a handler: responds in the API's error format instead of with a page. */
export {
  unknownPath as DELETE,
  unknownPath as GET,
  unknownPath as OPTIONS,
  unknownPath as PATCH,
  unknownPath as POST,
  unknownPath as PUT,
} from '@/lib/auth/route';
