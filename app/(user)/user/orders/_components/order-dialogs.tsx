'use client';

import dynamic from 'next/dynamic';
import { retryChunk } from '@/components/ui/retry-chunk';

// Loaded with the first opening: the list is used without them more often.

export const NewOrderDialog = dynamic(
  retryChunk(() => import('./new-order-dialog').then((module) => module.NewOrderDialog)),
);

export const BuildCustomDialog = dynamic(
  retryChunk(() => import('./build-custom-dialog').then((module) => module.BuildCustomDialog)),
);

export const OrderAgainDialog = dynamic(
  retryChunk(() => import('./order-again-dialog').then((module) => module.OrderAgainDialog)),
);
