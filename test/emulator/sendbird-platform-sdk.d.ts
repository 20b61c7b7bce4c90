/** Types for the parts of the vendor JavaScript client that the test uses. The client has no types of its own. */
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
