import { redirect } from 'next/navigation';

/** The address itself has no screen: customers are the most, so their sign-in is the front door. */
export default function Home() {
  redirect('/user/login');
}
