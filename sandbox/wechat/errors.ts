import { ApiError } from '@/sandbox/http/api-error';
import { type HttpResponse, json } from '@/sandbox/http/reply';

const statuses = {
  PARAM_ERROR: 400,
  ORDER_CLOSED: 400,
  ORDER_PAID: 400,
  INVALID_REQUEST: 400,
  NO_STATEMENT_EXIST: 400,
  STATEMENT_CREATING: 400,
  SIGN_ERROR: 401,
  OUT_TRADE_NO_USED: 403,
  NOT_ENOUGH: 403,
  NO_AUTH: 403,
  ORDER_NOT_EXIST: 404,
  RESOURCE_NOT_EXISTS: 404,
  SYSTEM_ERROR: 500,
} as const;

/** An error of WeChat: a code for programs and a message for users. */
export class WechatError extends ApiError {
  override readonly name = 'WechatError';
  constructor(
    readonly code: keyof typeof statuses,
    message: string,
  ) {
    super(statuses[code], message);
  }

  override toReply(headers: Record<string, string>): HttpResponse {
    return json(this.status, { code: this.code, message: this.message }, headers);
  }
}
