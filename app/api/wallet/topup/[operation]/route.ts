import { joinRoutes } from '@/lib/auth/route';
import { paypalTopupResponse, wechatTopupResponse } from '@/lib/payments/top-ups/contract';
import { topupRoute } from '@/lib/payments/top-ups/topup-route';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  paypal: { POST: topupRoute('paypal', paypalTopupResponse, (url) => ({ approvalUrl: url })) },
  // On desktop, the URL is this app's page with the QR code.
  wechat: { POST: topupRoute('wechat', wechatTopupResponse, (url) => ({ h5_url: url })) },
});
