// The type of entities.cjs.
declare const entities: () => typeof import('entities/decode', { with: { 'resolution-mode': 'import' } });
export = entities;
