'use client';

import { LogOut } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
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
      icon={<LogOut className="size-4" />}
      className={cn('w-full justify-start', className)}
    >
      Logout
    </Button>
  );
}
