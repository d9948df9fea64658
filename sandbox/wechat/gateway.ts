import { createPublicKey, type KeyObject } from 'node:crypto';
import type { SigningKey } from '@/sandbox/keys/records';
import { type GatewayContext, ProviderGateway } from '@/sandbox/provider/gateway';
import { WechatError } from './errors';
import { publicKeyId } from './public-key-id';
import type { RefundRecord, TradeRecord } from './records';

/** The app as a merchant of WeChat Pay. */
export type WechatMerchant = {
  mchid: string;
  appid: string;
  /** 32 characters: the key by which WeChat encrypts data for the merchant. */
  apiV3Key: string;
  /** SPKI PEM; a private key is accepted as well. */
  merchantPublicKey: string;
  /** Serial number of the merchant's certificate. */
  merchantSerial: string;
};

/** State shared by the WeChat port's API, pages and controls. */
export class WechatGateway extends ProviderGateway {
  /** The key by which the merchant's requests are verified. */
  readonly merchantKey: KeyObject | null;
  /** Bill files by the token of their URL; not stored, because a URL is valid for five minutes. */
  readonly bills = new Map<string, { content: Buffer; type: string; until: number }>();

  /** @param merchant null rejects every request */
  constructor(
    gatewayContext: GatewayContext,
    readonly merchant: WechatMerchant | null,
    readonly key: SigningKey,
  ) {
    super('wechat', gatewayContext);
    this.merchantKey = merchant ? createPublicKey(merchant.merchantPublicKey) : null;
  }

  get state() {
    return this.store.state.wechat;
  }

  /** The serial of the current signing key. */
  get serial(): string {
    return this.controls.signedBy === 'certificate' ? this.key.serial : publicKeyId(this.key);
  }

  /** @throws WechatError 404 */
  trade(outTradeNo: string): TradeRecord {
    const found = this.state.trades.find((trade) => trade.outTradeNo === outTradeNo);
    if (!found) throw new WechatError('ORDER_NOT_EXIST', `No order ${outTradeNo}`);
    return found;
  }

  /**
   * Returns the trade of a payment page.
   * @param prepayId from h5_url or code_url
   * @throws WechatError 404
   */
  prepared(prepayId: string): TradeRecord {
    const found = this.state.trades.find((trade) => trade.prepayId === prepayId);
    if (!found) throw new WechatError('ORDER_NOT_EXIST', 'No order matches this URL');
    return found;
  }

  /** @throws WechatError 404 */
  refund(outRefundNo: string): { trade: TradeRecord; refund: RefundRecord } {
    for (const trade of this.state.trades) {
      const refund = trade.refunds.find((one) => one.outRefundNo === outRefundNo);
      if (refund) return { trade, refund };
    }
    throw new WechatError('RESOURCE_NOT_EXISTS', `No refund ${outRefundNo}`);
  }
}
