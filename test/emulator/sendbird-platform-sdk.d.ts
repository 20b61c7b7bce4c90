/** What the test uses of the vendor's JavaScript client, which comes without types. */
declare module 'sendbird-platform-sdk' {
  export class ApiClient {
    static readonly instance: ApiClient;
    basePath: string;
  }
  type Api = new () => Record<string, (...args: unknown[]) => Promise<Record<string, unknown>>>;
  export const UserApi: Api;
  export const OpenChannelApi: Api;
  export const GroupChannelApi: Api;
  export const ModerationApi: Api;
  export const MessageApi: Api;
  export const BotApi: Api;
  export const WebhooksApi: Api;
}
