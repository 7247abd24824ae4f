import { defineConfig } from 'vite'

// Built for people, whoever builds it: a test that is at work would else get a slower and larger build for developers.
if (process.argv.includes('build')) process.env.NODE_ENV = 'production'

export default defineConfig({
  root: import.meta.dirname,
  // The client's own source: a change of it is seen without building it first.
  resolve: { conditions: ['risiti-source', 'module', 'browser', 'production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  build: {
    target: 'es2022',
    // Small pictures as data would be fine, but not styles or scripts: the page allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: true,
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(
      ['/a', '/b', '/i', '/n', '/sandbox', '/dev'].map((path) => [path, 'http://127.0.0.1:4000']),
    ),
  },
})
