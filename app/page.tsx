import { redirect } from 'next/navigation';

/** Redirects to the customer sign-in, because most users are customers. The root has no screen. */
export default function Home() {
  redirect('/user/login');
}
