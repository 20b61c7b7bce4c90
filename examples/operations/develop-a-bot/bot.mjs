// A bot that greets whoever joins a channel, and answers /hours.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { CHATFORM_BASE_URL: api, CHATFORM_API_TOKEN: token } = process.env;

async function say(channel_url, message) {
  const answer = await fetch(`${api}/bots/helper/send`, {
    method: 'POST',
    headers: { 'Api-Token': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ message_type: 'MESG', channel_url, message }),
  });
  if (!answer.ok) console.error(`${answer.status} ${await answer.text()}`);
}

function isSigned(request, body) {
  const signature = Buffer.from(String(request.headers['x-sendbird-signature']));
  const expected = Buffer.from(createHmac('sha256', token).update(body).digest('hex'));
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  // Calls to bots have no documented signature: keep this path a secret in production.
  const isKnown = request.url === '/helper' || isSigned(request, body);
  response.writeHead(isKnown ? 200 : 401).end();
  if (!isKnown) return;
  const { category, channel, message, users = [] } = JSON.parse(body);
  if (category === 'bot_message_notification' && message.text === '/hours') await say(channel.channel_url, 'We are here from 9 to 5.');
  if (category === 'group_channel:join')
    for (const { nickname } of users) await say(channel.channel_url, `Welcome, ${nickname}!`);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
