'use client';

import dynamic from 'next/dynamic';
import { retryChunk } from '@/components/ui/retry-chunk';

// Of these, the page renders one or none, and loads no other.

export const CartScreen = dynamic(retryChunk(() => import('./cart-screen').then((module) => module.CartScreen)));

export const SiteCheckout = dynamic(retryChunk(() => import('./site-checkout').then((module) => module.SiteCheckout)));
