import { redirect } from 'next/navigation';

/** The root has no screen. It redirects to the customer sign-in, because most users are customers. */
export default function Home() {
  redirect('/user/login');
}
