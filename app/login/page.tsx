import { redirect } from 'next/navigation';

/** The older register page links here (decision 7). */
export default function Login() {
  redirect('/user/login');
}
