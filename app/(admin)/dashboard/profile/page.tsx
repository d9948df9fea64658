import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { findAvatarHash } from '@/lib/users/avatar';
import { getPendingEmail } from '@/lib/users/confirm-email-change';
import { PictureCard, ProfileForm } from './_components/profile-form';

export const metadata = { title: 'Profile settings' };

export default async function ProfilePage() {
  const actor = await requirePage('admin', 'AdminDashboard');
  const [avatar, pendingEmail] = await Promise.all([findAvatarHash(actor.userId), getPendingEmail(actor.userId)]);
  return (
    <>
      <PageHeader title="Profile settings" description="Your name, picture and sign-in details." />
      <div className="grid max-w-2xl gap-4">
        <PictureCard name={actor.name || actor.email} avatar={avatar} />
        <ProfileForm name={actor.name} email={actor.email} pendingEmail={pendingEmail} />
      </div>
    </>
  );
}
