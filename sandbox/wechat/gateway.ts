import { createPublicKey, type KeyObject } from 'node:crypto';
import type { SigningKey } from '../keys/records';
import { ProviderGateway, type Surroundings } from '../provider/gateway';
import { WechatError } from './errors';
import { publicKeyId } from './public-key-id';
import type { RefundRecord, TradeRecord } from './records';

/** The app as a merchant of WeChat Pay. */
export type WechatMerchant = {
  mchid: string;
  appid: string;
  /** 32 characters: the key of what WeChat encrypts for the merchant. */
  apiV3Key: string;
  /** SPKI PEM; a private key, from which it is derived, is taken too. */
  merchantPublicKey: string;
  /** Serial number of the merchant's certificate. */
  merchantSerial: string;
};

/** All that the WeChat port shares between its API, its pages and its controls. */
export class WechatGateway extends ProviderGateway {
  /** What the merchant's requests are verified with. */
  readonly merchantKey: KeyObject | null;
  /** Files of bills by the token of their address; not kept over a restart, as an address lasts for five minutes. */
  readonly bills = new Map<string, { content: Buffer; type: string; until: number }>();

  /** @param merchant null refuses every request */
  constructor(
    surroundings: Surroundings,
    readonly merchant: WechatMerchant | null,
    readonly key: SigningKey,
  ) {
    super('wechat', surroundings);
    this.merchantKey = merchant ? createPublicKey(merchant.merchantPublicKey) : null;
  }

  get state() {
    return this.store.state.wechat;
  }

  /** The name of the key that answers and notifications are signed with at present. */
  get serial(): string {
    return this.controls.signedBy === 'certificate' ? this.key.serial : publicKeyId(this.key);
  }

  /** @throws WechatError 404 */
  trade(outTradeNo: string): TradeRecord {
    const found = this.state.trades.find((trade) => trade.outTradeNo === outTradeNo);
    if (!found) throw new WechatError('ORDER_NOT_EXIST', `No order ${outTradeNo}`);
    return found;
  }

  /** @param prepayId of h5_url or code_url @throws WechatError 404 */
  prepared(prepayId: string): TradeRecord {
    const found = this.state.trades.find((trade) => trade.prepayId === prepayId);
    if (!found) throw new WechatError('ORDER_NOT_EXIST', 'No order belongs to this address');
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
