'use client';

import { PageFailure, type PageFailureProps } from '@/components/shell/page-failure';

/** For failures above the portals' own error pages. */
export default function ErrorPage(props: PageFailureProps) {
  return (
    <main>
      <PageFailure {...props} />
    </main>
  );
}
