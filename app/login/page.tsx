import { redirect } from 'next/navigation';

/** Redirects /login, which older registration pages link to. */
export default function Login() {
  redirect('/user/login');
}
