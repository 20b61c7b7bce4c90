// Tests the path of a request: ids are encoded completely and never lead elsewhere.
import { describe, expect, test } from 'vitest';
import { type ApiRequest, requestPath, requestQuery, routeName } from '../../../src/core/model/request.ts';

describe('a request', () => {
  const request = (value: string): ApiRequest => ({
    method: 'GET',
    route: '/users/{user_id}',
    params: { user_id: value },
  });

  test.for([
    { id: 'alice', path: '/users/alice' },
    { id: 'a/b?c#d e%', path: '/users/a%2Fb%3Fc%23d%20e%25' },
    { id: 'ü', path: '/users/%C3%BC' },
    { id: '{user_id}', path: '/users/%7Buser_id%7D' },
    { id: '$&', path: '/users/%24%26' },
    { id: '...', path: '/users/...' },
  ])('encodes $id whole', ({ id, path }) => {
    expect(requestPath(request(id))).toBe(path);
  });

  test.for(['.', '..', 'half \ud800'])('is refused for the id %j, which no URL can contain', (id) => {
    expect(() => requestPath(request(id))).toThrow('GET /users/{user_id} cannot be called for');
  });

  test('encodes its query', () => {
    const list: ApiRequest = { method: 'GET', route: '/users', query: { limit: '10', token: 'a b&c' } };
    expect(requestQuery(list)).toBe('limit=10&token=a%20b%26c');
    expect(requestQuery({ ...list, query: { id: ['a b', 'c'] } })).toBe('id=a%20b&id=c');
    expect(requestQuery({ method: 'GET', route: '/users' })).toBe('');
    expect(() => requestQuery({ ...list, query: { token: '\udc00' } })).toThrow(
      'GET /users cannot be called for "\\udc00"',
    );
  });

  test('needs every parameter', () => {
    expect(() => requestPath({ method: 'GET', route: '/users/{user_id}' })).toThrow('lacks its parameter user_id');
    expect(routeName(request('a'))).toBe('GET /users/{user_id}');
  });
});
