// Tests addresses of states in object storage, and the errors for unreadable ones.
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/model/errors.ts';
import { parseObjectAddress } from '../../../src/state/stores/address.ts';
import { azureAddress } from '../../../src/state/stores/azure.ts';
import { googleAddress } from '../../../src/state/stores/google.ts';
import { s3Address } from '../../../src/state/stores/s3.ts';
import { loadPackage } from '../../../src/state/stores/sdk.ts';
import { refusalOf } from '../../support/state/fixtures.ts';

describe('an address', () => {
  test.for([
    { spec: 's3://bucket', name: 's3://bucket', bucket: 'bucket', prefix: '' },
    { spec: 's3://bucket/', name: 's3://bucket', bucket: 'bucket', prefix: '' },
    { spec: 's3://bucket/a/b/', name: 's3://bucket/a/b', bucket: 'bucket', prefix: 'a/b/' },
    {
      spec: 's3://bucket/a?endpoint=https://minio.example.com&region=eu-1',
      name: 's3://bucket/a?endpoint=https://minio.example.com',
      bucket: 'bucket',
      prefix: 'a/',
    },
    {
      spec: 's3://bucket/a?endpoint=http://minio.internal:9000&tls=off',
      name: 's3://bucket/a?endpoint=http://minio.internal:9000',
      bucket: 'bucket',
      prefix: 'a/',
    },
  ])('$spec', ({ spec, name, bucket, prefix }) => {
    expect(parseObjectAddress(spec, ['endpoint', 'profile', 'region', 'tls'])).toMatchObject({ name, bucket, prefix });
  });

  test('of another kind is not one of object storage', () => {
    expect(azureAddress('azblob://box/a?account=acme', () => undefined).name).toBe('azblob://box/a');
    expect(googleAddress('gs://bucket/a').name).toBe('gs://bucket/a');
  });

  test.for([
    { spec: 's3://', says: 'cannot be read' },
    { spec: 's3:bucket', says: 'cannot be read' },
    { spec: 's3://KEY:SECRET@bucket/a', says: 'cannot be read' },
    { spec: 's3://bucket/../other', says: 'has a prefix with dots' },
    { spec: 's3://bucket/a?secret=SECRET', says: 'has a parameter secret that chatform does not know' },
    { spec: 's3://bucket/a?endpoint=http://minio.example.com', says: 'has an endpoint without TLS' },
    { spec: 's3://bucket/a?endpoint=https://u:SECRET@minio.example.com', says: 'has an endpoint that is not a URL' },
    { spec: 's3://bucket/a?endpoint=SECRET', says: 'has an endpoint that is not a URL' },
  ])('$spec is refused, and nothing of it that may be a secret is repeated', ({ spec, says }) => {
    try {
      s3Address(spec, () => undefined);
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      expect(error).toMatchObject({ code: 'state.usage', exitCode: 64 });
      expect(error.message).toContain(says);
      expect(`${error.message} ${error.advice}`).not.toContain('SECRET');
    }
  });
});

test('names a package that is not installed, with the command that installs it', async () => {
  const load = () => import('@chatform/no-such-package' as string);
  const refusal = await refusalOf(loadPackage('s3', '@aws-sdk/client-s3', load));
  expect(refusal).toMatchObject({ code: 'state.package-missing', exitCode: 64 });
  expect(refusal.advice).toContain('npm install @aws-sdk/client-s3');
});
