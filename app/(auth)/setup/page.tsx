import { notFound } from 'next/navigation';
import { AuthFrame } from '@/components/auth/auth-frame';
import { SetupForm } from '@/components/auth/setup-form';
import { needsSetup, printSetupCode } from '@/lib/auth/setup-code';
import { getBranding } from '@/lib/settings/branding/get-branding';

export const metadata = { title: 'Setup' };

/** Creates the first admin; 404 once there is one. */
export default async function Setup() {
  if (!(await needsSetup())) notFound();
  const [brand] = await Promise.all([getBranding(), printSetupCode()]);
  return (
    <AuthFrame
      brand={brand}
      title="Create the admin account"
      subtitle="This installation has no admin yet. The account you create here manages everything."
    >
      <SetupForm />
    </AuthFrame>
  );
}
