'use client';

import { Button } from '../ui/button';
import { useLogout } from './use-logout';

export function LogoutButton({ endpoint, loginPath }: { endpoint: string; loginPath: string }) {
  const { pending, logout } = useLogout(endpoint, loginPath);
  return (
    <Button
      variant="ghost"
      size="sm"
      pending={pending}
      onClick={logout}
      icon={<span aria-hidden="true" className="icon-log-out size-4" />}
      className="w-full justify-start px-3"
    >
      Logout
    </Button>
  );
}
