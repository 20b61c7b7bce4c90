// Tests the pages of a certificate, with hostile names from outside.
import { expect, test } from 'vitest';
import { certificateAsHtml, certificateAsMarkdown } from '../../../src/view/reports/certificate.ts';
import { pageContent } from '../../support/page-content.ts';
import { certificate } from '../support/certificate.ts';

test('shows counts, decisions, runs and digests, with a place to sign', async () => {
  await expect(certificateAsMarkdown(certificate)).toMatchFileSnapshot('goldens/certificate.md');
  await expect(pageContent(certificateAsHtml(certificate))).toMatchFileSnapshot('goldens/certificate.html');
});

test('contains names only as text', () => {
  expect(certificateAsHtml(certificate)).not.toMatch(/<script|<b>|\u202e/u);
  expect(certificateAsMarkdown(certificate)).not.toMatch(/[^\\]<script|\u202e/u);
});
