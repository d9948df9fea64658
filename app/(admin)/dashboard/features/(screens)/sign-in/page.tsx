import { screenTexts } from '@/components/shell/screen-texts';
import { PageHeader } from '@/components/ui/page-header';
import { isAdminRole } from '@/lib/access/permissions';
import { requirePage } from '@/lib/auth/page-guard';
import { getStaffSessionRules } from '@/lib/auth/staff-session-rules';
import { countRoleFactors, getTwoStepRule } from '@/lib/auth/two-step';
import { getSettings } from '@/lib/settings/settings';
import { StaffSessionsForm, TwoStepForm } from './_components/sign-in-forms';

const texts = screenTexts('/dashboard/features/sign-in');

export const metadata = { title: texts.title };

export default async function SignInSettingsPage() {
  const actor = await requirePage('admin', 'ManageSettings');
  const [rows, roles] = await Promise.all([getSettings(), countRoleFactors()]);
  const twoStep = getTwoStepRule(rows);
  const sessions = getStaffSessionRules(rows);
  const isAdmin = isAdminRole(actor.role);
  return (
    <>
      <PageHeader {...texts} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <TwoStepForm
          roles={roles}
          required={Object.keys(twoStep.value.roles)}
          graceDays={twoStep.value.graceDays}
          version={twoStep.version}
          isAdmin={isAdmin}
        />
        <StaffSessionsForm rules={sessions.value} version={sessions.version} isAdmin={isAdmin} />
      </div>
    </>
  );
}
