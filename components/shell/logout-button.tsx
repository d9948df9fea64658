'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Icon } from '@/components/ui/icon';
import { useLogout } from './use-logout';

type LogoutButtonProps = { endpoint: string; loginPath: string; className?: string };

export function LogoutButton({ endpoint, loginPath, className = 'px-3' }: LogoutButtonProps) {
  const { pending, logout } = useLogout(endpoint, loginPath);
  return (
    <Button
      variant="ghost"
      size="sm"
      pending={pending}
      onClick={logout}
      icon={<Icon name="log-out" />}
      className={cn('w-full justify-start', className)}
    >
      Logout
    </Button>
  );
}
