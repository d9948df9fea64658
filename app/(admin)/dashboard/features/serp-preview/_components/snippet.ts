/** The form values, named as in the API. */
export type PageFacts = {
  domain: string;
  slug: string;
  currentTitle: string;
  currentDescription: string;
  intent: string;
};

export const blankPage: PageFacts = { domain: '', slug: '', currentTitle: '', currentDescription: '', intent: '' };

/** The response of POST /api/tools/seo/suggest. */
export type SuggestedTexts = { title: string; description: string; source: 'model' | 'rules' };
