// Does what people did by hand in the dashboard and with scripts: `two-years` of it, or `one-night` more.
const { CHATFORM_BASE_URL: api, CHATFORM_API_TOKEN: token } = process.env;

async function call(method, path, body) {
  const headers = { 'Api-Token': token, 'Content-Type': 'application/json' };
  const answer = await fetch(`${api}${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
}

/** Runs a call for each number from 1, a few at a time. */
async function each(count, run) {
  for (let first = 1; first <= count; first += 20)
    await Promise.all(Array.from({ length: Math.min(20, count - first + 1) }, (_, place) => run(first + place)));
}

const padded = (number, width) => String(number).padStart(width, '0');
const customer = (number) => `c-${padded(number, 4)}`;
const agent = (number) => `agent-${padded(((number - 1) % 12) + 1, 2)}`;
const user = (user_id, nickname, more) => call('POST', '/users', { user_id, nickname, profile_url: '', ...more });
const room = (channel_url, name, custom_type, user_ids, more) =>
  call('POST', '/group_channels', {
    channel_url,
    name,
    custom_type,
    user_ids,
    cover_url: `https://img.acme.example/${custom_type || 'plain'}.png`,
    ...more,
  });
const bot = (bot_userid, bot_nickname) =>
  call('POST', '/bots', {
    bot_userid,
    bot_nickname,
    bot_type: 'app',
    bot_profile_url: '',
    bot_callback_url: `https://bots.acme.example/${bot_userid}`,
    is_privacy_mode: false,
  });
/** Makes a message of a past day the last one of a channel. */
const written = (channel, user_id, day) =>
  call('POST', `/migration/${channel}`, {
    messages: [{ user_id, message_type: 'MESG', message: 'Thanks!', timestamp: Date.parse(day) }],
  });

async function twoYears() {
  await each(1_960, (number) => user(customer(number), `Customer ${number}`));
  await each(12, (number) =>
    user(agent(number), `Agent ${number}`, { metadata: { team: number > 8 ? 'sales' : 'support' } }),
  );
  await each(28, (number) => user(`test${number}`, `test ${number}`));
  await each(9, (number) => bot(`notify-${number}`, `Notifier ${number}`));
  await bot('helper', 'Helper');
  const support = (number) => agent(((number - 1) % 8) + 1);
  await each(40, (number) => {
    const members = [customer(number * 7), support(number), support(number + 1), 'helper'];
    const operators = { operator_ids: [support(number)] };
    return room(`support-${number}`, `Support ${number}`, 'support', members, operators);
  });
  for (const [region, name] of [
    ['north', 'North'],
    ['south', 'South'],
    ['west', 'west!!'],
  ])
    await room(`desk-${region}`, `Desk ${name}`, 'desk', [agent(1), agent(2)], { operator_ids: [agent(1)] });
  await each(200, (number) =>
    room(`order-${number}`, `Order ${number}`, 'order', [customer(number), customer(number + 900)]),
  );
  await each(57, (number) =>
    room(`sales-${number}`, `Sales ${number}`, '', [customer(number + 500), agent(9 + (number % 4))]),
  );
  await written('order-200', customer(200), '2025-03-14');
  await written('sales-57', customer(557), '2026-11-19');
  await call('PUT', '/applications/settings_global', { allow_links: false, max_message_length: 1000 });
  const filter = { keywords: ['darn', 'heck'], type: 1 };
  await call('POST', '/applications/settings_by_channel_custom_type', {
    custom_type: 'support',
    max_message_length: 5000,
    profanity_filter: filter,
  });
}

async function oneNight() {
  await room('support-41', 'Support 41', 'support', [customer(41), agent(1)]);
  await room('tmp-jf-2', 'do not delete', '', [customer(3), customer(4)]);
  await call('PUT', '/group_channels/support-3', { name: 'Support 3 (VIP)' });
}

await { 'two-years': twoYears, 'one-night': oneNight }[process.argv[2]]();
