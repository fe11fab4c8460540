import { testModels } from '../toy/test-models.js';

// oxfmt-ignore
testModels({
  'media entities and stream properties': { model: 'album' },
  'media streams of complex values': { model: 'disc' },
  'streams of entities in several sets, in a singleton and contained': { model: 'mix' },
});
