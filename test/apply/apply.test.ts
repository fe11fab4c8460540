import { testModels } from '../toy/test-models.js';

// prettier-ignore
testModels({
  'recursive hierarchies': { model: 'orgs' },
});
