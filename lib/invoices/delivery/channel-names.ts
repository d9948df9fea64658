import type { DeliveryChannel } from '@/db/enums';

/** The names of the channels on screens and in messages. */
export const channelNames: Readonly<Record<DeliveryChannel, string>> = { peppol: 'Peppol', ksef: 'KSeF' };
