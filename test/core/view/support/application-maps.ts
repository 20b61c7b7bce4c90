// Support: a map of an application, for its page.
import type { ApplicationMap } from '../../../../src/core/view/html/application-map.ts';

/** `users` users and a tenth as many channels, in which each user is in ten. The names and ids of all begin with `text`. */
export function largeMap(users: number, text = ''): ApplicationMap {
  const channels = Math.max(1, Math.floor(users / 10));
  return {
    application: `${text}api-app.sendbird.com/v3`,
    state: `${text}file:.chatform/state`,
    changedAt: '2026-06-01T10:00:00.000Z',
    inDoubt: 0,
    people: Array.from({ length: users }, (_, at) => ({
      id: `${text}user-${at}`,
      name: `${text}Name ${at}`,
      kind: at % 50 === 0 ? ('unmanaged' as const) : ('user' as const),
      marks: at % 50 === 0 ? (['unmanaged'] as const) : at % 70 === 1 ? (['deactivated'] as const) : [],
    })),
    channels: Array.from({ length: channels }, (_, at) => ({
      address: `group_channel.${text}room-${at}` as const,
      name: `${text}Room ${at}`,
      customType: at % 3 === 0 ? `${text}support` : '',
      isPublic: at % 4 === 0,
      marks: at % 5 === 0 ? (['frozen'] as const) : [],
      people: Array.from({ length: Math.min(100, users) }, (_, place) => {
        const person = (at * 10 + place) % users;
        const rights = place === 0 ? 'o' : place === 1 ? 'h' : place === 2 ? 'bt' : '';
        return [person, place !== 2, rights] as const;
      }),
    })),
  };
}
